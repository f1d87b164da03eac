import { healthRoute } from '../health-route.ts'

export const { GET, HEAD } = healthRoute('/healthz')

export const dynamic = 'force-dynamic'
