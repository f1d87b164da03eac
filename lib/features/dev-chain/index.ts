export { createDevPanelDispatcher } from './panel.ts'
