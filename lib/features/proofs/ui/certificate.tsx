import { MAX_CERTIFIED_VALUES, type RunLink, runHref } from '#lib/protocol/run-link.ts'
import { Command } from '#lib/ui/components/command.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

/**
 * The certificate of a run that is re-checkable for ever, and the command that checks it.
 *
 * @param paths Of the run, as far as they are known: a site makes no certificate of very many values.
 */
export function Certificate({ link, paths }: { link: RunLink; paths: number }) {
  const { connector, count } = link
  const file = `${connector}.weft.json`
  const isMade = paths * count <= MAX_CERTIFIED_VALUES
  return (
    <div className="space-y-3 pt-6">
      <p className="text-ink-soft text-sm">
        A certificate holds these numbers, the code that computes them, and the proof that this code is
        registered. Check it with a node that you trust:{' '}
        <a className={textLink} href="/docs/certificate">
          what it proves
        </a>
        .
      </p>
      {isMade ? (
        <ButtonLink href={runHref(link, '/certificate')} download={file}>
          Download certificate
        </ButtonLink>
      ) : null}
      <Command what="command">
        {isMade
          ? `weft verify ${file} --node https://…`
          : `weft certify ${connector} --count ${count}${startOptions(link)} --node https://…`}
      </Command>
    </div>
  )
}

function startOptions({ dynamicRi }: RunLink): string {
  return dynamicRi
    .map(
      ({ position, startPoint, transformationShift }) =>
        ` --start ${position}=${startPoint}:${transformationShift}`,
    )
    .join('')
}
