import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { observeRequests } from '#lib/server/metrics/process-metrics.ts'
import { getServices } from '#lib/server/services.ts'

const answer = createMcpEndpoint({
  services: getServices,
  observe: observeRequests('/mcp/account'),
  forAccount: true,
})

export { answer as DELETE, answer as GET, answer as OPTIONS, answer as POST }

export const dynamic = 'force-dynamic'
