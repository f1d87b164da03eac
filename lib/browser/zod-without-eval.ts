import { config } from 'zod/mini'

// The policy of our pages forbids evaluating code, which schemas try when they are made, for speed. Servers may.
if (typeof window !== 'undefined') config({ jitless: true })
