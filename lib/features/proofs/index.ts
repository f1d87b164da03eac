export { certifyRun } from './certify-run.ts'
