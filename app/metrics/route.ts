import { healthRoute } from '../health-route.ts'

export const { GET, HEAD } = healthRoute('/metrics')

export const dynamic = 'force-dynamic'
