import type { Feature } from '../feature.ts'
import { searchEverything } from './operations.ts'

export const search: Feature = { name: 'search', operations: [searchEverything] }
