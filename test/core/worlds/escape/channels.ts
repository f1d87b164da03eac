import type { Channel } from './channel.ts'
import { DOCUMENTS } from './documents.ts'
import { NAVIGATION } from './navigation.ts'
import { REQUESTS } from './requests.ts'
import { WEBRTC } from './webrtc.ts'

/** Every way out that the board tries. */
export const CHANNELS: readonly Channel[] = [...REQUESTS, ...DOCUMENTS, ...NAVIGATION, ...WEBRTC]
