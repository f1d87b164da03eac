export { contractVerification, type SourcifyState } from './contract-verification.ts'
export { verifierSettings } from './settings.ts'
export { contractSubmissions, submitToSourcify, type VerifierInputs } from './verifiers/submit.ts'
