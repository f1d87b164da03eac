import type { ReactNode } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import { FilterLinks } from '#lib/ui/components/filter-links.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { Whose } from './whose.tsx'

const PAGES = [
  ['Profile', '/account'],
  ['Library', '/library'],
  ['Following', '/following'],
  ['Notices', '/notices'],
  ['Webhooks', '/account/webhooks'],
] as const

interface Props {
  readonly title: string
  readonly lead?: ReactNode
  /** The address of this page. */
  readonly path: (typeof PAGES)[number][1]
  /** The signed-in account; undefined for visitors. */
  readonly viewer: Address | undefined
  /** Whether the page's data could be read. */
  readonly readable: boolean
  /** Above the sign-in button. */
  readonly notice?: ReactNode
  /** Reason to sign in here. */
  readonly purpose: string
  readonly children?: ReactNode
}

/** The frame of the pages of the own account: head, links between them, and a sign-in button for visitors. */
export function AccountFrame({ title, lead, path, viewer, readable, notice, purpose, children }: Props) {
  return (
    <>
      <PageHead title={title} lead={lead} />
      {readable ? (
        <div className={`${measure} mt-8`}>
          {notice === undefined ? null : <div className="mb-8">{notice}</div>}
          <Whose key={viewer ?? ''} viewer={viewer} purpose={purpose}>
            <div className="mb-8">
              <FilterLinks
                titled={false}
                label="Account"
                choices={PAGES}
                value={path}
                hrefOf={(href) => href}
              />
            </div>
            {children}
          </Whose>
        </div>
      ) : (
        <Unreadable again={path} />
      )}
    </>
  )
}
