export { assistantSettings } from './settings.ts'
