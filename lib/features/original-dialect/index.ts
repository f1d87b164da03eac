export { inDialect } from './operations.ts'
