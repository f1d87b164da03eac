export { assistantSettings, parseEndpoints } from './settings.ts'
