import { healthRoute } from '../health-route.ts'

export const { GET, HEAD } = healthRoute('/status.json')

export const dynamic = 'force-dynamic'
