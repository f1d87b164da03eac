import { ButtonLink } from '#lib/ui/kit/button.tsx'

type PageLink = readonly [label: string, href: string] | false | undefined

/** Links to the neighbouring pages of a list; nothing where it has only one. */
export function PageLinks({ of, back, next }: { of: string; back: PageLink; next: PageLink }) {
  return (
    <nav aria-label={`Pages of ${of}`} className="mt-6 flex flex-wrap gap-3 empty:hidden">
      {back ? <ButtonLink href={back[1]}>{back[0]}</ButtonLink> : null}
      {next ? (
        <ButtonLink rel="next" href={next[1]}>
          {next[0]}
        </ButtonLink>
      ) : null}
    </nav>
  )
}
