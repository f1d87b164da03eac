import { textLink } from './link-style.ts'
import { measure } from './site-frame.tsx'

/** The content of the page at every address that has none. */
export function LooseEnd() {
  return (
    <div className={`${measure} pt-16`}>
      <h1 className="font-semibold text-3xl tracking-tight">A loose end</h1>
      <p className="mt-6 max-w-prose text-lg">
        There is no page at this address. It may have been mistyped, or it names something that is not here
        yet.
      </p>
      <ul className="mt-8 space-y-3">
        <li>
          <a className={textLink} href="/">
            What the network holds
          </a>
          , with every connector’s particles as a plot
        </li>
        <li>
          <a className={textLink} href="/docs/api">
            API reference
          </a>
          , if you came from a script: the chain API lives below <code>/chain</code>
        </li>
      </ul>
      <form action="/#particles" className="mt-10 flex max-w-md flex-wrap items-end gap-3">
        <label className="min-w-0 flex-1 text-sm">
          Looking for a connector? Its name:
          <input
            name="connector"
            required
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            className="mono mt-1.5 block min-h-11 w-full rounded-md border border-edge bg-raised px-3 text-base"
          />
        </label>
        <button
          type="submit"
          className="min-h-11 cursor-pointer rounded-md bg-ink px-4 font-medium text-ground text-sm transition-colors hover:bg-accent hover:text-on-accent"
        >
          Show it
        </button>
      </form>
    </div>
  )
}
