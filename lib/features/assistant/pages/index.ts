export { AssistantOffer } from './offer.tsx'
