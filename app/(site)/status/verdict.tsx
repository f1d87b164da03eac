import type { DegradedReason } from '../../../lib/feed/read-status.ts'
import { measure } from '../../../lib/ui/site-frame.tsx'

/** The answer to the only question most people have: all is well, or what is wrong and the way out. */
export function Verdict({ reasons }: { reasons: readonly DegradedReason[] }) {
  const well = reasons.length === 0
  return (
    <div className={`${measure} mt-10`}>
      <div
        className={`rounded-lg border p-5 sm:p-7 ${well ? 'border-line bg-raised' : 'border-calm-line bg-calm'}`}
      >
        <p className="flex items-center gap-3 font-semibold text-xl" role="status">
          <Sign well={well} />
          {well ? 'All is well' : reasons.length === 1 ? 'Something is wrong' : 'Some things are wrong'}
        </p>
        {well ? (
          <p className="mt-2 max-w-prose text-ink-soft">
            What you read here is what the chain holds, up to its newest block.
          </p>
        ) : (
          <ul className="mt-4 space-y-5">
            {reasons.map(({ code, sentence, fix }) => (
              <li key={code} className="max-w-prose">
                <p className="font-medium [overflow-wrap:anywhere]">{sentence}</p>
                <p className="mt-1 [overflow-wrap:anywhere]">
                  <span className="font-medium">The way out:</span> {fix}
                </p>
              </li>
            ))}
          </ul>
        )}
        {well ? null : (
          <p className="mt-5 max-w-prose text-sm">
            Nothing published is lost: reads go on with what this server knows, and the rest comes from the
            chain.
          </p>
        )}
      </div>
    </div>
  )
}

function Sign({ well }: { well: boolean }) {
  return (
    <svg viewBox="0 0 24 24" className="size-7 shrink-0" aria-hidden="true" fill="none" strokeWidth="2.5">
      {well ? (
        <>
          <path className="stroke-edge" d="M6 3v18M12 3v18M18 3v18" strokeWidth="2" />
          <path className="stroke-raised" d="M0 12h24" strokeWidth="7" />
          <path className="stroke-verdigris" d="M1 12h22" strokeWidth="3.5" strokeLinecap="round" />
        </>
      ) : (
        <>
          <path className="stroke-edge" d="M6 3v18M12 3v18M18 3v18" strokeWidth="2" />
          <path className="stroke-madder" d="M1 12h6M17 12h6" strokeWidth="3.5" strokeLinecap="round" />
        </>
      )}
    </svg>
  )
}
