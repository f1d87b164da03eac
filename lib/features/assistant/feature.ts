import type { Feature } from '../feature.ts'
import { assistantSettings } from './settings.ts'

/** An assistant in the studio, with the reader's own key. Its code is in `lib/studio/assistant` and `lib/ui/studio/assistant`. */
export const assistant: Feature = { name: 'assistant', settings: assistantSettings }
