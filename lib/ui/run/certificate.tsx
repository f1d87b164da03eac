import { type RunLink, runHref } from '#lib/protocol/run-link.ts'
import { ButtonLink } from '#lib/ui/components/button.tsx'
import { Command } from '#lib/ui/components/command.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'

/** The certificate of a run that is re-checkable for ever, and the command that checks it. */
export function Certificate({ link }: { link: RunLink }) {
  const file = `${link.connector}.weft.json`
  return (
    <div className="space-y-3 pt-6">
      <p className="text-ink-soft text-sm">
        A certificate holds these numbers with the code that computes them, and the proof that this code is
        registered. Check it against a node that you trust:{' '}
        <a className={textLink} href="/docs/certificate">
          what it proves
        </a>
        .
      </p>
      <ButtonLink href={runHref(link, '/certificate')} download={file}>
        Download certificate
      </ButtonLink>
      <Command what="command">{`weft verify ${file} --node https://…`}</Command>
    </div>
  )
}
