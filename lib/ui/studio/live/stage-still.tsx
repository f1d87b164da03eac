/** The picture of a piece in the place of its World. */
export function StageStill({ src }: { src: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: stored at the size of link previews, and filled into any stage
    <img
      src={src}
      alt=""
      fetchPriority="high"
      className="absolute inset-0 size-full rounded-lg object-cover"
    />
  )
}
