export { answerSuggestions as GET } from '#lib/features/search/pages/suggestions.ts'

export const dynamic = 'force-dynamic'
