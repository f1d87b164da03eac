import type { Feature } from '../feature.ts'
import { wallPlaces } from './schema.ts'

export const pieces: Feature = { name: 'pieces', tables: [wallPlaces] }
