export {
  type AgentGrant,
  type Authorisation,
  type AuthorisationRequest,
  listApplications,
  readAuthorisation,
  verifyAgentToken,
} from './agent-grants.ts'
export { createOAuthDispatcher } from './oauth/endpoint.ts'
export type { AnswerApplicationAnswer, AnswerApplicationRequest } from './operations.ts'
