import { healthRoute } from '../health-route.ts'

export const { GET, HEAD } = healthRoute('/readyz')

export const dynamic = 'force-dynamic'
