import type { ListedKind } from '#lib/protocol/listed-kind.ts'
import { Button } from '#lib/ui/kit/button.tsx'

/** The search form of a page; works without a script. */
export function SearchForm({ text, kind }: { text: string; kind?: ListedKind | undefined }) {
  return (
    <form action="/search" className="mt-4 flex max-w-[46rem] gap-3">
      <label className="min-w-0 flex-1">
        <span className="sr-only">Search for</span>
        <input
          // Remounts for another search: the field is uncontrolled.
          key={text}
          type="search"
          name="q"
          id="search-text"
          defaultValue={text}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="A name, an address, a hash"
          className="block min-h-11 w-full rounded-md border border-edge bg-raised px-3 text-base placeholder:text-ink-soft"
        />
      </label>
      {kind === undefined ? null : <input type="hidden" name="kind" value={kind} />}
      <Button type="submit" look="primary">
        Search
      </Button>
    </form>
  )
}
