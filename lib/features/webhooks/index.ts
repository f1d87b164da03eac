export { type WebhooksAnswer, webhooksOf } from './operations.ts'
