/** Opens a channel between the tabs of this site; without receivers where the browser allows none. */
export function openTabChannel(name: string): BroadcastChannel {
  try {
    return new BroadcastChannel(name)
  } catch {
    return new MessageChannel().port1 as unknown as BroadcastChannel
  }
}
