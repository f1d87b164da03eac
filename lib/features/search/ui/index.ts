export { HeaderSearch } from './header-search.tsx'
export { SearchForm } from './search-form.tsx'
export { useSuggestions } from './suggestions.ts'
