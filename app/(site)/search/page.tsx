export { default, generateMetadata } from '#lib/features/search/pages/search-page.tsx'
