import type { Feature } from '../feature.ts'
import { assistantSettings } from './settings.ts'

/** An assistant in the studio, with the reader’s own key. */
export const assistant: Feature = { name: 'assistant', settings: assistantSettings }
