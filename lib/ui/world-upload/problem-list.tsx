import { byFile, type Problem } from './problems.ts'

/** What is wrong or could be better, by the file it is about. */
export function ProblemList({
  problems,
  tone,
}: {
  problems: readonly Problem[]
  tone: 'problem' | 'advice'
}) {
  return (
    <ul className="space-y-4">
      {byFile(problems).map(({ file, problems: group }) => (
        <li
          key={file ?? ''}
          className={`border-l-2 pl-4 ${tone === 'problem' ? 'border-madder' : 'border-edge'}`}
        >
          <p className="font-medium text-sm">
            {file === undefined ? 'The bundle' : <code className="[overflow-wrap:anywhere]">{file}</code>}
          </p>
          <ul className="mt-1 space-y-1 text-sm [overflow-wrap:anywhere]">
            {group.map(({ place, text }) => (
              <li key={`${place ?? ''} ${text}`}>
                {place ? (
                  <>
                    <code className="font-medium">{place}</code>:{' '}
                  </>
                ) : null}
                {text}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
