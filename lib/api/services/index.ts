import type { Operation } from '../../http/operation.ts'
import { getHealth } from './health.ts'

/** Every documented operation of the services API, in the order of the reference page. */
export const servicesOperations: readonly Operation[] = [getHealth]
