export { publishSponsored } from './sponsor.ts'
