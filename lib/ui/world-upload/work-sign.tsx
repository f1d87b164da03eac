/** What is being done with a bundle, and how far it is. */
export type Work =
  | { readonly doing: 'reading' | 'checking' | 'opening' }
  | { readonly doing: 'packing' | 'sending'; readonly share: number }

const WORDS: Readonly<Record<Work['doing'], string>> = {
  reading: 'Reading the files…',
  packing: 'Packing them in this browser…',
  sending: 'Sending it…',
  checking: 'Checking every file…',
  opening: 'Opening it…',
}

export function WorkSign({ work }: { work: Work }) {
  return (
    <div className="max-w-md">
      <p className="pb-1 text-sm">{WORDS[work.doing]}</p>
      <progress
        aria-label={WORDS[work.doing]}
        className="h-1.5 w-full accent-accent"
        max={1}
        {...('share' in work && { value: work.share })}
      />
    </div>
  )
}
