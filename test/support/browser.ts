export { launchBrowser, WITHOUT_GPU } from '../../scripts/browser/launch.ts'
