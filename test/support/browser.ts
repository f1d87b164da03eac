export { launchBrowser } from '../../scripts/browser/launch.ts'
