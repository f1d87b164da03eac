import { Fragment } from 'react'

/** A name that may break after its underscores, before it breaks anywhere else. */
export function Breakable({ name }: { name: string }) {
  return (
    // One element: of a flex container, each part would be an item of its own, and a word of its own to screen readers.
    <span className="min-w-0">
      {name.split('_').map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        <Fragment key={index}>
          {index > 0 ? (
            <>
              _<wbr />
            </>
          ) : null}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
