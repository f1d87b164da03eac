import type { Feature } from '../feature.ts'
import { originalDialectSettings } from './settings.ts'

export const originalDialect: Feature = {
  name: 'original-dialect',
  settings: originalDialectSettings,
}
