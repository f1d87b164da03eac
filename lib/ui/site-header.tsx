'use client'

import { Mark } from './logo.tsx'
import { NavLinks } from './nav-links.tsx'
import { HeaderSearch } from './search/header-search.tsx'
import { SearchLink } from './search/search-link.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { AccountControl } from './wallet/account-control.tsx'

/** What stands in the header of every page. A client component: pages would carry anything else twice more. */
export function SiteHeader() {
  return (
    <>
      <a href="/" className="flex items-center gap-2.5 rounded-md font-semibold text-lg tracking-tight">
        <Mark />
        Weft
      </a>
      <HeaderSearch />
      <nav
        aria-label="Site"
        className="-mx-1.5 w-full min-w-0 overflow-x-auto sm:max-[52rem]:-mx-3 max-[52rem]:order-last min-[52rem]:mx-0 min-[52rem]:ml-auto min-[52rem]:w-auto"
      >
        <NavLinks />
      </nav>
      <div className="flex items-center gap-1 max-[52rem]:ml-auto">
        <SearchLink />
        <AccountControl />
        <ThemeToggle />
      </div>
    </>
  )
}
