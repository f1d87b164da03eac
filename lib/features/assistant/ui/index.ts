export { useAssistant } from './entry.tsx'
