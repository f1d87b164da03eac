import type { EntityKind } from '#lib/protocol/entity.ts'
import { kindsWord, kindWord } from '#lib/protocol/kind-name.ts'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { missingEntity } from '#lib/views/entity.ts'
import { feedHref } from '#lib/views/feed-query.ts'
import { readForPage } from '#lib/views/read.ts'

const LONGEST_SHOWN = 128

/** The 404 page of an entity. */
export async function Missing({ kind, name }: { kind: EntityKind; name: string }) {
  const reading = await readForPage(`what is near a missing ${kind}`, (ctx) => missingEntity(ctx, kind, name))
  const { possible, removed, near } = reading.ok
    ? reading.value
    : { possible: true, removed: false, near: [] }
  const shortName = name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name
  return (
    <>
      <PageHead
        title="Nothing here"
        lead={
          <p>
            There is no {kindWord(kind)} called{' '}
            <span className="mono text-ink [overflow-wrap:anywhere]">
              <Breakable name={shortName} />
            </span>
            . {possible ? '' : 'Names are letters, digits and underscores, and begin with no digit.'}
          </p>
        }
      />
      <div className={`${measure} mt-10 space-y-10 [&>*]:max-w-[42rem]`}>
        {removed ? (
          <Notice title="It was here">
            <p>
              A reorganisation of the chain took back the block that published it. When the transaction is
              mined again, it returns under the same name. The{' '}
              <a className={textLink} href="/feed?status=removed">
                feed lists what was removed
              </a>
              .
            </p>
          </Notice>
        ) : null}
        {near.length > 0 ? (
          <Part title="Did you mean">
            <ul>
              {near.map(({ kind: of, name: called, draft }) => (
                <li
                  key={`${of}/${called}`}
                  className="flex min-h-11 items-center gap-3 border-line border-t py-2"
                >
                  <KindMark kind={of} />
                  <a
                    className={`${textLink} mono text-sm [overflow-wrap:anywhere]`}
                    href={entityHref(of, called)}
                  >
                    {called}
                  </a>
                  <span className="ml-auto text-ink-soft text-xs">
                    {kindWord(of)}
                    {draft ? ', a draft' : ''}
                  </span>
                </li>
              ))}
            </ul>
          </Part>
        ) : null}
        <p className="flex flex-wrap gap-3">
          <ButtonLink look="filled" href={`/search?q=${encodeURIComponent(shortName)}`}>
            Search for it
          </ButtonLink>
          <ButtonLink href={feedHref({ kind })}>The newest {kindsWord(kind)}</ButtonLink>
        </p>
      </div>
    </>
  )
}
