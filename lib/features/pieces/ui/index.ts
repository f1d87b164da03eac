export { ChangeShown } from './change-shown.tsx'
