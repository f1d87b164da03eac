export { generateMetadata, SearchPage as default } from '#lib/features/search/pages/index.ts'
