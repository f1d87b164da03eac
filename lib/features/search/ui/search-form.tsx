import type { ListedKind } from '#lib/protocol/listed-kind.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { HiddenField, TextField } from '#lib/ui/kit/field.tsx'

/** The search form of a page; works without a script. */
export function SearchForm({ text, kind }: { text: string; kind?: ListedKind | undefined }) {
  return (
    <form action="/search" className="mt-4 flex max-w-[46rem] gap-3">
      <label className="min-w-0 flex-1">
        <span className="sr-only">Search for</span>
        <TextField // Remounts for another search: the field is uncontrolled.
          key={text}
          type="search"
          name="q"
          id="search-text"
          defaultValue={text}
          maxLength={128}
          spellCheck={false}
          enterKeyHint="search"
          placeholder="A name, an address, a hash"
          className="text-base"
        />
      </label>
      {kind === undefined ? null : <HiddenField name="kind" value={kind} />}
      <Button type="submit" look="filled">
        Search
      </Button>
    </form>
  )
}
