import { documentRead } from '#lib/views/site-read.ts'
import { sitemap } from '#lib/views/xml-documents.ts'

export const { GET } = documentRead('/sitemap.xml', 'application/xml; charset=utf-8', sitemap)

export const dynamic = 'force-dynamic'
