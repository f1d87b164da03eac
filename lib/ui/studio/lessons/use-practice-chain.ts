import { useQuery } from '@tanstack/react-query'
import { fetchNetwork } from '../../wallet/connect/network.ts'

/** Whether publishing here costs nothing and can be practised; undefined while that is not known. */
export function usePracticeChain(wanted: boolean): boolean | undefined {
  const { data } = useQuery({ queryKey: ['lesson-network'], queryFn: fetchNetwork, enabled: wanted })
  if (data === undefined || data.chain === null) return undefined
  return data.chain.development && data.publication
}
