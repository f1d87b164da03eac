'use client'

import { Button, TextButton } from '#lib/ui/kit/button.tsx'

/** The foot of a list that is fetched page by page: loading, failure with a retry, nothing found, and the next page. */
export function ListStatus({
  query,
  loading,
  empty,
  more,
}: {
  query: {
    readonly isPending: boolean
    readonly isError: boolean
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
    readonly refetch: () => unknown
  }
  loading: string
  /** Shown when the list is empty; undefined when it is not. */
  empty: string | undefined
  /** Label of the button that fetches the next page. */
  more: string
}) {
  return (
    <>
      <div role="status" className="py-1 text-ink-soft text-sm">
        {query.isPending ? loading : null}
        {query.isError ? (
          <>
            The list cannot be reached now. <TextButton onClick={() => query.refetch()}>Try again</TextButton>
          </>
        ) : null}
        {query.isPending || query.isError ? null : empty}
      </div>
      {query.hasNextPage ? (
        <Button className="w-full" disabled={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {more}
        </Button>
      ) : null}
    </>
  )
}
