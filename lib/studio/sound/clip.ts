import type { Transport } from './transport.ts'
import { joinWebm } from './webm.ts'

/** A clip with what is heard meanwhile, from the first step on. @param record Records the picture. */
export async function clipWithSound(
  transport: Pick<Transport, 'record' | 'stop'>,
  record: () => Promise<Blob>,
): Promise<Blob> {
  const end = await transport.record()
  const picture = await record()
    .finally(() => {
      transport.stop()
    })
    .catch(async (error: unknown) => {
      await end()
      throw error
    })
  const joined = joinWebm(new Uint8Array(await picture.arrayBuffer()), await end())
  return new Blob([joined], { type: 'video/webm' })
}
