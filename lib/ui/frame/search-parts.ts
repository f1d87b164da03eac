/** The search where every page's frame and the 404 page show it. */
export { HeaderSearch, SearchForm } from '#lib/features/search/ui/index.ts'
