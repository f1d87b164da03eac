import { FilterLinks } from '#lib/ui/components/filter-links.tsx'
import type { ChainChoice } from '#lib/views/chains.ts'

/** Leads to the publications of the site's other chains; nothing where there is only one. */
export function ChainSwitch({ choices }: { choices: readonly ChainChoice[] }) {
  if (choices.length < 2) return null
  return (
    <FilterLinks
      label="Chain"
      choices={choices.map((choice) => [choice.name, choice] as const)}
      value={choices.find(({ current }) => current)}
      hrefOf={(choice) => choice?.href ?? ''}
    />
  )
}
