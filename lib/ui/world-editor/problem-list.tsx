import { TextButton } from '#lib/ui/kit/button.tsx'
import { byFile, type Problem } from './problems.ts'

/** List of errors or advice, by the file that they are about. @param onOpen Opens a file, where there is an editor. */
export function ProblemList({
  problems,
  tone,
  onOpen,
}: {
  problems: readonly Problem[]
  tone: 'problem' | 'advice'
  onOpen: (path: string) => void
}) {
  return (
    <ul className="space-y-4">
      {byFile(problems).map(({ file, problems: group }) => (
        <li
          key={file ?? ''}
          className={`border-l-2 pl-4 ${tone === 'problem' ? 'border-madder' : 'border-edge'}`}
        >
          <p className="font-medium text-sm">
            {file === undefined ? (
              'The bundle'
            ) : (
              <TextButton onClick={() => onOpen(file)} className="mono [overflow-wrap:anywhere]">
                {file}
              </TextButton>
            )}
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
