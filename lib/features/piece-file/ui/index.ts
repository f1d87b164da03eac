export { TakeAway } from './take-away.tsx'
