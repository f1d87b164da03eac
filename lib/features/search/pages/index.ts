export { default as SearchPage, generateMetadata } from './search-page.tsx'
export { suggestions } from './search-view.ts'
