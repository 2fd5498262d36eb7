group_by(.author.name)[] | sort_by(.publishDate) | reverse[] | [.author.name, .id, .publishDate, .title, .summary] | @tsv
