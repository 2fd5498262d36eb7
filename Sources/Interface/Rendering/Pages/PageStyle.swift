import BlogMarkup

/// The style sheet for all screen sizes, light and dark, and for print.
enum PageStyle {
    static let css: PageText = colors + text + layout + list + photos + post + thread + bodies + print

    /// The contrast of text is at least 4.5.
    private static let colors: PageText = """
        :root{--page:#fff;--soft:#f4f4f6;--ink:#1c1d21;--quiet:#5b5e66;--line:#dfe0e4;--link:#0a55c0;--visited:#6a3ea6;\
        --accent:#b3261e;--mark:#ffe58a;--keyword:#8a2a8a;--string:#1f6b2e;--number:#8a4b00}
        @media (prefers-color-scheme:dark){:root{--page:#141518;--soft:#1e2024;--ink:#e3e4e8;--quiet:#a2a5ad;--line:#33353b;\
        --link:#8db6fa;--visited:#c6a8f3;--accent:#ff9a8f;--mark:#4d3d00;--keyword:#e09be0;--string:#8fd19e;--number:#e9b872}}

        """

    private static let text: PageText = """
        *,*::before,*::after{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
        body{margin:0 auto;padding:1rem clamp(1rem,4vw,2.5rem) 3rem;max-width:80rem;background:var(--page);color:var(--ink);\
        font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;\
        overflow-wrap:break-word}
        h1,h2,h3,h4,h5,h6{line-height:1.25;text-wrap:balance;margin:1.8em 0 .6em}
        h1{font-size:clamp(1.6rem,1.2rem + 1.8vw,2.25rem);margin:.6em 0}
        h2{font-size:1.35rem}h3{font-size:1.15rem}h4,h5,h6{font-size:1rem}
        h1,h2,h3,h4,h5,h6,p,li,td,th{unicode-bidi:plaintext;text-align:start}
        .author,.id,.name,.count,time{unicode-bidi:isolate}
        a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:from-font}
        a:visited{color:var(--visited)}
        :focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
        main:focus{outline:none}
        img,svg{max-width:100%;height:auto}
        mark{background:var(--mark);color:var(--ink);border-radius:2px}
        hr{border:0;border-top:1px solid var(--line);margin:2em 0}
        code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.875em}
        code{background:var(--soft);padding:.1em .3em;border-radius:4px}
        pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.9em 1em;overflow-x:auto;line-height:1.5;\
        tab-size:4;unicode-bidi:isolate;direction:ltr;text-align:left}
        pre code{background:none;padding:0;font-size:inherit;overflow-wrap:normal}
        pre .keyword{color:var(--keyword)}pre .string{color:var(--string)}pre .comment{color:var(--quiet)}pre .number{color:var(--number)}
        pre .word{color:var(--link)}
        blockquote{margin:1.2em 0;padding:0;padding-inline-start:1em;border-inline-start:3px solid var(--line);color:var(--quiet)}
        .scroll{overflow-x:auto;margin:1.2em 0}
        table{border-collapse:collapse;font-size:.95em;line-height:1.45}
        th,td{padding:.45em 0;padding-inline-end:.8em;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:normal}
        thead th{border-bottom-width:2px}
        .right{text-align:right}.center{text-align:center}
        .facts,.site,.count,.rank,.role,.story{color:var(--quiet);font-size:.875rem;font-weight:400}
        .facts a,.site a{color:inherit}
        .id{font-family:ui-monospace,monospace;font-size:.8125rem}
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}

        """

    private static let layout: PageText = """
        .skip{position:absolute;left:1rem;top:-4rem;background:var(--page);padding:.5em 1em;z-index:1}
        .skip:focus{top:.5rem}
        .top h1{margin-bottom:.4em}
        body>footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--quiet);font-size:.875rem}
        .thumbnail,.cell{display:grid;grid-template:100%/100%;overflow:hidden}
        .thumbnail>*,.cell>*{grid-area:1/1}
        .thumbnail img,.cell img{place-self:stretch;min-width:0;min-height:0;max-width:none;height:auto;object-fit:cover}

        """

    private static let list: PageText = """
        .contents{font-size:.9375rem;line-height:1.45;margin:0 0 2rem}
        .contents summary{font-weight:600;cursor:pointer;padding:.2em 0}
        .contents ol{list-style:none;margin:.4em 0 0;padding:0;columns:12rem;column-gap:2rem}
        .contents li{break-inside:avoid;padding:.2em 0}
        .contents a{display:inline-block;min-height:1.5rem;text-decoration:none}.contents a:hover,.contents a:focus{text-decoration:underline}
        @media (min-width:64rem){body:has(>.contents){display:grid;grid-template-columns:15rem minmax(0,1fr);column-gap:3rem}
        .top,body>footer{grid-column:1/-1}
        .contents{position:sticky;top:0;max-height:100vh;overflow-y:auto;align-self:start;padding:.4rem 0 1rem}
        .contents ol{columns:auto}}
        body:has(.cards):not(:has(>.contents)){max-width:50rem}
        section:has(>.cards:only-of-type){max-width:46rem}
        section>h2{border-bottom:1px solid var(--line);padding-bottom:.35em;margin:2.2em 0 .4em}
        section:first-child>h2{margin-top:0}
        .cards{list-style:none;margin:0;padding:0;max-width:46rem}
        .card{display:flex;gap:.9rem;padding:1.1rem 0;border-bottom:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 9rem}
        .card:last-child{border-bottom:0}
        .card .about{flex:1;min-width:0}
        .card h2,.card h3{font-size:1.125rem;margin:0 0 .15em;line-height:1.35}
        .card h2 a,.card h3 a{text-decoration-color:var(--line)}
        .card h2 a:hover,.card h3 a:hover{text-decoration-color:currentColor}
        .card p{margin:.3em 0 0}.card .facts{margin:0}.card .facts .author{font-weight:600;color:var(--ink)}
        .read h2,.read h3{font-weight:500}
        .unread{color:var(--link);font-size:.7em;vertical-align:.15em}.saved{color:var(--accent);font-size:.85em}
        .summary{font-size:1rem;line-height:1.5}
        .thumbnail{flex:none;width:6rem;height:6rem;border-radius:8px;background:var(--soft)}
        @media (max-width:30rem){.thumbnail{width:4rem;height:4rem}}

        """

    private static let photos: PageText = """
        .photos{list-style:none;margin:1rem 0;padding:0;display:grid;gap:.5rem;\
        grid-template-columns:repeat(auto-fill,minmax(min(10.5rem,46%),1fr))}
        .cell{aspect-ratio:1;border-radius:6px;background:#3b3d43;color:#fff;\
        text-decoration:none}
        .cell:visited{color:#fff}
        .cell img{transition:transform .2s}
        .cell:hover img,.cell:focus-visible img{transform:scale(1.04)}
        @media (prefers-reduced-motion:reduce){.cell img{transition:none}.cell:hover img,.cell:focus-visible img{transform:none}}
        .cell .adult{filter:blur(1.5rem)}
        .cell::after{content:"";grid-area:1/1;align-self:end;z-index:1;height:5.2rem;background:linear-gradient(transparent,rgb(0 0 0/.78) 2rem)}
        .cell .name{align-self:end;z-index:2;margin:0 .6rem .5rem;font-size:.9375rem;font-weight:600;line-height:1.3;\
        display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
        .cell .rating{place-self:start end;margin:.45rem;z-index:2;padding:.1em .5em;border-radius:1em;background:rgb(0 0 0/.78);\
        font-size:.875rem;font-weight:600;font-variant-numeric:tabular-nums}
        .photo{max-width:64rem;margin:0 auto}
        .shown{margin:0 0 1.2rem;text-align:center;background:var(--soft);border-radius:8px;overflow:hidden}
        .shown img{display:block;margin:0 auto;max-height:75vh;width:auto}
        .photographer{margin:1.6rem 0}
        .tables{display:grid;gap:0 3rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));align-items:start}
        .tables section>h2{font-size:1.1rem;margin:1.2em 0 .3em;border:0;padding:0}
        .tables table{width:100%}
        .tables th{font-weight:400;color:var(--quiet);width:9rem}
        .where svg{display:block;width:100%;border-radius:8px;background:var(--soft);color:var(--quiet)}
        .map-mark{fill:var(--accent);color:var(--accent)}
        .where p{margin:.5em 0}

        """

    private static let post: PageText = """
        .post,.thread{max-width:34rem;margin:0 auto}
        .photo+.thread{max-width:64rem}.photo+.thread .body{max-width:30rem}
        .post+.post,.thread+.post{margin-top:4rem;padding-top:2rem;border-top:1px solid var(--line)}
        .by{margin:1rem 0 1.8rem}
        .by p{margin:0;line-height:1.4}
        .by .author{font-weight:600}
        .body p,.body ul,.body ol{margin:0 0 1.1em;text-wrap:pretty}
        .body li{margin:.25em 0}.body li>ul,.body li>ol{margin:0}
        @media (min-width:60rem){.post>.body>pre,.post>.body>.scroll{margin-inline:-3rem}}
        .body img{border-radius:6px}
        .body p>img:only-child,.body p>a:only-child>img:only-child{display:block;margin:1.5em auto}
        .photo .body{max-width:34rem}
        .picture{color:var(--quiet);border:1px dashed var(--line);border-radius:4px;padding:.1em .4em}
        .note,.none{color:var(--quiet)}
        .post>footer,.photo>footer{margin-top:2.5rem}
        .tags{list-style:none;margin:0 0 1rem;padding:0;display:flex;flex-wrap:wrap;gap:.4rem;font-size:.875rem}
        .tags li{background:var(--soft);border-radius:1em;padding:.15em .8em}

        """

    private static let thread: PageText = """
        .thread{margin-top:3rem;border-top:1px solid var(--line)}
        .thread>h2{border:0;margin:1.2em 0 .4em}
        .replies{list-style:none;margin:0;padding:0}
        .replies .replies{padding-inline-start:1rem;border-inline-start:2px solid var(--line)}
        .thread details{padding:.6rem 0 0}
        .thread summary{cursor:pointer;line-height:1.5}
        .replies>li{content-visibility:auto;contain-intrinsic-size:auto 9rem}
        .replies>li:target>details>summary{background:var(--mark);color:var(--ink)}
        .folding{margin:0}
        .folding button{font:inherit;font-size:.875rem;margin-inline-end:.5rem;padding:.15em .7em;color:var(--link);background:none;\
        border:1px solid var(--line);border-radius:6px;cursor:pointer}
        .links{margin:0;font-size:.8125rem}
        .links a{display:inline-block;min-width:1.5rem;min-height:1.5rem;margin-inline-end:.6rem;color:var(--quiet);text-decoration:none}
        .links a:hover,.links a:focus-visible{text-decoration:underline}
        .thread summary .author{font-weight:600}
        .thread summary:hover .author{text-decoration:underline}
        .thread .body{margin:.25rem 0 .4rem}
        .thread .body p:last-child{margin-bottom:0}
        .thread .body{font-size:1rem;line-height:1.5}
        .op{color:var(--accent);font-size:.75rem;font-weight:600}.new{color:var(--accent)}
        .quoted{color:var(--quiet)}
        @media (max-width:40rem){.replies .replies{padding-inline-start:.6rem}}
        .replies .replies .replies .replies .replies .replies .replies .replies .replies{padding-inline-start:0;border:0}

        """

    /// The elements of posts' texts; those with a specified direction don't inherit that of their first letter.
    private static let bodies: PageText = """
        figcaption,dt,dd,summary{unicode-bidi:plaintext;text-align:start}
        :is([dir=rtl],[dir=ltr]):is(h2,h3,h4,h5,h6,p,li,td,th,dt,dd),\
        :is([dir=rtl],[dir=ltr]) :is(h2,h3,h4,h5,h6,p,li,td,th,dt,dd,figcaption,summary),\
        [dir=auto]>table :is(th,td){unicode-bidi:isolate}
        :not(pre)>code{unicode-bidi:plaintext}
        pre:not([tabindex]){white-space:pre-wrap;overflow-wrap:anywhere}
        .body figure{margin:1.5em 0}
        .body figure img{display:block;margin:0 auto}
        .body figcaption{color:var(--quiet);font-size:.9375rem;line-height:1.45;margin-top:.5em}
        .body dl{margin:0 0 1.1em}.body dd{margin:.15em 0 .6em;margin-inline-start:1.5rem}
        .body details{border:1px solid var(--line);border-radius:8px;padding:.6em .9em;margin:0 0 1.1em}
        .body summary{cursor:pointer;font-weight:600}.body details[open]>summary{margin-bottom:.6em}
        .body details>:last-child{margin-bottom:0}
        .body li:has(>input:first-child){list-style:none;margin-inline-start:-1.35em}
        sub,sup{line-height:0}
        kbd{font:.85em ui-monospace,monospace;background:var(--soft);border:1px solid var(--line);border-bottom-width:2px;\
        border-radius:4px;padding:.1em .35em}
        @media print{.body details::details-content{content-visibility:visible;display:block;height:auto}}

        """

    private static let print: PageText = """
        @media print{:root{--page:#fff;--soft:#fff;--ink:#000;--quiet:#444;--link:#000;--visited:#000;--line:#bbb}
        body{font-size:11pt;max-width:none;padding:0;display:block!important}
        .contents,.skip,.folding,.links{display:none}.card,.replies>li{content-visibility:visible}
        pre{white-space:pre-wrap;overflow-wrap:anywhere}.scroll{overflow:visible}
        .body a[href^=http]::after{content:" (" attr(href) ")";font-size:.85em;overflow-wrap:anywhere}
        .cell,mark{print-color-adjust:exact;-webkit-print-color-adjust:exact}
        h1,h2,h3,h4{break-after:avoid}.card,figure,tr,pre,img,.photos li{break-inside:avoid}}

        """
}
